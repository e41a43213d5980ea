"""What is known without the file: what libraries do, what names suggest."""
