"""jusText, with the stop words of a language: python3 justext_python.py [LANGUAGE]

Install: pip install justext
"""
from winnow_extractor import serve  # first: it keeps what libraries print from the protocol

import sys
from importlib.metadata import version

import justext

stopwords = justext.get_stoplist(sys.argv[1] if len(sys.argv) > 1 else "English")


def extract(html, url):
    return "\n".join(p.text for p in justext.justext(html, stopwords) if not p.is_boilerplate)


serve("justext", version("justext"), "Pomikalek: Removing boilerplate and duplicate content from web corpora. PhD thesis, Masaryk University, 2011.", extract)
