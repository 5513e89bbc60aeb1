"""Margin Notes: perceptrons and large margins."""
