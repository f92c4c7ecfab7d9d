"""The live page: `caprese app` serves it on this machine only.

The server holds one session for each tab and computes nothing; worker processes do (`tasks`). What
the page shows is made of the words, tables and pictures of the report.
"""
