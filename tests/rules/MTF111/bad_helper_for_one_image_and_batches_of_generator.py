# a helper for one image, and batches of a generator

import glob

import numpy as np
import tensorflow as tf


def classify(model, path):
    image = tf.keras.utils.img_to_array(tf.keras.utils.load_img(path))
    return model.predict(image[np.newaxis], verbose=0)  #! MTF111


def run(folder, batches):
    model = tf.keras.applications.MobileNetV2()
    for path in glob.glob(folder + "/*.png"):
        print(path, classify(model, path).argmax())
    return [model.predict(batch) for batch in batches]  #! MTF111
