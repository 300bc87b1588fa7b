"""readability-lxml, the port of arc90's Readability to Python.

Install: apt-get install python3-readability, or pip install readability-lxml
"""
from winnow_extractor import serve  # first: it keeps what libraries print from the protocol

from importlib.metadata import version

from readability import Document


def extract(html, url):
    return {"html": Document(html, url=url or None).summary(html_partial=True)} if html.strip() else ""


serve("readability-lxml", version("readability-lxml"), "Y. Baburov: readability-lxml. Software. https://github.com/buriy/python-readability", extract)
