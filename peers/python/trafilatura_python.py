"""Trafilatura, as its author maintains it.

Install: pip install trafilatura
"""
from winnow_extractor import serve  # first: it keeps what libraries print from the protocol

import trafilatura


def extract(html, url):
    return trafilatura.extract(html, url=url or None, include_comments=False)


serve("trafilatura", trafilatura.__version__, "Barbaresi: Trafilatura. ACL demo, 2021. https://doi.org/10.18653/v1/2021.acl-demo.15", extract)
