# a function that is to free the GPU

import gc

import tensorflow as tf
from keras.backend import clear_session


def free_gpu_memory():
    clear_session()  #! MTF106
    gc.collect()


def embed(x):
    model = tf.keras.applications.ResNet50(weights=None)
    features = model.predict(x)
    del model
    # release the GPU memory
    tf.keras.backend.clear_session()  #! MTF106 warning
    return features
