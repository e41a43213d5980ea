# a function that gets a model wraps it, or tells something of it; names of files and settings are no models

import tensorflow as tf
import utils


def wrapped(models, x):
    for net in models:
        made = utils.get_wrapped_model(model=net, channel_first=True)
        print(made.predict(x))


def settings(models, x, net):
    for model in models:
        found = utils.get_model_config(model)
        print(found, net.predict(x))


def folders(names, x, net):
    for name in names:
        folder = utils.make_model_dir(name)
        net.save(folder)
        print(net.predict(x), tf.__version__)
