"""`python -m lib` is `margin`: the command lives with the tools."""

import sys

from tools.__main__ import main

sys.exit(main())
