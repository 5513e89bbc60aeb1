from lib.bounds.general import *  # noqa: F403
