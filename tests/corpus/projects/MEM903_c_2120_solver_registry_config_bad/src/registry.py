MODELS, DATASETS = {}, {}


def register(table):
    def wrap(cls):
        table[cls.__name__.lower()] = cls
        return cls

    return wrap
