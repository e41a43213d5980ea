# multi_gpu_model by name, and a module alias made by assignment

import tensorflow as tf
from keras.utils import multi_gpu_model  #! MTF101

keras = tf.keras
K = keras.backend


def replicate(model, gpus):
    K.get_session()  #! MTF101
    return multi_gpu_model(model, gpus=gpus)
