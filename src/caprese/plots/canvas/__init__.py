"""What pictures are drawn with: canvas, legend, lettering, palette, files."""
