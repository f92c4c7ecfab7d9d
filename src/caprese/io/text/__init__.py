"""What all text formats use: delimited rows, cells, escapes."""
