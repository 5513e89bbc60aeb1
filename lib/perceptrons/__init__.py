"""What the documents run: one module for each algorithm, its text and its result."""
