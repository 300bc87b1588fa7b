from interface import main_content


def extract_plain_text(html, *, main_content=False):
    return globals()["main_content"](html)
