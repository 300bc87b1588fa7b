import interface


class Paragraph:
    def __init__(self, text, is_boilerplate):
        self.text, self.is_boilerplate = text, is_boilerplate


def get_stoplist(language):
    return frozenset({"the"}) if language == "English" else None


def justext(html_text, stoplist):
    return [Paragraph("Archive", True)] + [Paragraph(text, False) for text in interface.main_content(html_text).splitlines()]
