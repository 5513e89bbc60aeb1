from lib.datasets import connect4, covertype, prepared

__all__ = ["connect4", "covertype", "prepared"]
