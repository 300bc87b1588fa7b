from interface import main_content


class MinerUHTMLConfig:
    def __init__(self, *, use_fall_back, prompt_version, response_format, early_load):
        pass


class Result:
    def __init__(self, main_content):
        self.main_content = main_content


class MinerUHTML:
    def __init__(self, *, model_path, config):
        print("a log line of the model")

    def process(self, html):
        return [Result("<p>" + main_content(html) + "</p>")]
