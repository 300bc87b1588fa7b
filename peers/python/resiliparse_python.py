"""The text of the main content by Resiliparse.

Install: pip install resiliparse
"""
from winnow_extractor import serve  # first: it keeps what libraries print from the protocol

from importlib.metadata import version

from resiliparse.extract.html2text import extract_plain_text


def extract(html, url):
    return extract_plain_text(html, main_content=True)


serve("resiliparse", version("resiliparse"), "Bevendorff, Stein, Hagen, Potthast: Elastic ChatNoir. ECIR, 2018. https://doi.org/10.1007/978-3-319-76941-7_83", extract)
