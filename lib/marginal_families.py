from lib.families import half, half_limit, off_centre, one_side, two_sides

__all__ = ["half", "half_limit", "off_centre", "one_side", "two_sides"]
