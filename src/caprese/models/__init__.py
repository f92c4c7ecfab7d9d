"""What a progression is: models, one file each."""
