import re


def main_content(html):
    return "\n".join(re.sub("<[^>]*>", "", p) for p in re.findall("<p>(.*?)</p>", html.split("<footer>")[0]))
