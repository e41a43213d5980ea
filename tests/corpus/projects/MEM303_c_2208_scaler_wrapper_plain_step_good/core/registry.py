class Registry:
    def __init__(self):
        self.items = {}

    def register(self, cls):
        self.items[cls.__name__] = cls
        return cls

    def build(self, name, *args, **kwargs):
        return self.items[name](*args, **kwargs)


MODELS = Registry()
