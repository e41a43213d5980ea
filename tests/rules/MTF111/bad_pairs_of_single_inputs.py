# each of the two inputs is a batch of one

import os

import numpy as np
from tensorflow.keras.models import load_model

from pictures import read


def verify(path, picture, people):
    net = load_model(path)
    query = np.expand_dims(picture, 0)
    best, who = 0.0, None
    for name in people:
        known = np.expand_dims(read(os.path.join("known", name + ".png")), 0)
        score = net.predict([query, known])[0][0]  #! MTF111 warning
        if score > best:
            best, who = score, name
    return who


def weather(path, maps, rain):
    net = load_model(path)
    for i in range(len(maps)):
        yield net.predict({"map": maps[i][None], "rain": rain[i][None]})  #! MTF111 warning
