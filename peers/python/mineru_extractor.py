"""MinerU-HTML (Dripper), a small language model, on the GPU: python3 mineru_extractor.py MODEL

Install: git clone https://github.com/opendatalab/MinerU-HTML && pip install './MinerU-HTML[vllm]'
MODEL is the folder of a model: huggingface-cli download opendatalab/MinerU-HTML-v1.1-hunyuan0.5B-compact
"""
from winnow_extractor import serve  # first: it keeps what libraries print from the protocol

import sys
from importlib.metadata import version

from mineru_html import MinerUHTML, MinerUHTMLConfig

config = MinerUHTMLConfig(use_fall_back="empty", prompt_version="short_compact", response_format="compact", early_load=True)
model = MinerUHTML(model_path=sys.argv[1], config=config)


def extract(html, url):
    return {"html": model.process(html)[0].main_content or ""}


serve("mineru-html", version("mineru-html"), "Liu et al.: Dripper: token-efficient main HTML extraction with a lightweight LM. arXiv, 2025. https://arxiv.org/abs/2511.23119", extract)
