from interface import main_content

__version__ = "2.0"


def extract(filecontent, url=None, *, include_comments=True):
    return main_content(filecontent) or None
