"""The web book: Sphinx reads what `pages.py` wrote; nothing is executed, nothing is fetched."""

project = "Margin Notes"
author = "The Margin Notes authors"
copyright = "2026, The Margin Notes authors"

extensions = ["myst_nb", "sphinx-mathjax-offline"]
myst_enable_extensions = ["dollarmath", "amsmath", "attrs_inline", "colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
suppress_warnings = ["mystnb.unknown_mime_type"]

html_theme = "furo"
html_title = "Margin Notes"
html_static_path = ["_static"]
html_css_files = ["margin.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
