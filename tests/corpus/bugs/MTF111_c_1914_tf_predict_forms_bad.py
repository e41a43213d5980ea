"""predict for single images and sentences in helper and class."""
import glob

import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing import image

model = tf.keras.models.load_model("cats.h5")


def classify(path):
    img = image.load_img(path, target_size=(150, 150))
    x = np.expand_dims(image.img_to_array(img), axis=0)
    return model.predict(x)[0]  #! MTF111


for p in glob.glob("*.jpg"):
    print(p, classify(p))  #= MTF111


class Writer:
    def __init__(self, net, vocab):
        self.net, self.vocab = net, vocab

    def text(self, seed, n):
        for _ in range(n):
            tokens = tf.keras.utils.pad_sequences([self.vocab(seed)], maxlen=20)
            probs = self.net.predict(tokens, verbose=0)[0]  #! MTF111
            seed += " " + str(np.argmax(probs))
        return seed


def run():
    writer = Writer(tf.keras.models.load_model("lm.h5"), lambda s: [1])
    return writer.text("once", 50)
