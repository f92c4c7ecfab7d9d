"""What pictures are drawn with: canvas, legend, labels, palette, figure files."""
