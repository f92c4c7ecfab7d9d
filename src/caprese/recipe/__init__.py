"""The recipe of an analysis: the data, its curation, the method, seeds, and the files to write.

A recipe is a value that can be written to a file and run; the command line, the page and the report
say with it how an analysis is repeated.
"""
