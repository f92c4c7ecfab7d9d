"""Text that other formats are made of: delimited tables, cells, escapes."""
