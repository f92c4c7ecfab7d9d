"""Readers of data: tables, MAF, copy number, cBioPortal, R, Excel, Parquet, genotype counts."""
