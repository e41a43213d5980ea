# the names are those of files, each of which is one input

import os

import cv2
import numpy as np
from tensorflow.keras.models import load_model


class Recogniser:
    def __init__(self, path):
        self.model = load_model(path)

    def embed(self, picture):
        picture = np.expand_dims(cv2.resize(picture, (224, 224)) / 255, 0)
        return self.model.predict(picture, verbose=0)[0]  #! MTF111 warning


def represent(folder, path):
    recogniser = Recogniser(path)
    rows = []
    for name in os.listdir(folder):
        picture = cv2.imread(os.path.join(folder, name))
        rows.append({"file": name, "row": recogniser.embed(picture)})
    return rows
