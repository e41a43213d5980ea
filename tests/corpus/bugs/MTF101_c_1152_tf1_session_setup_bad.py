"""StackOverflow answer of 2017 pasted into a TF 2 program."""
import tensorflow as tf
from keras import backend as K
from keras.utils import multi_gpu_model  #! MTF101

config = tf.ConfigProto()  #! MTF101
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)  #! MTF101
K.set_session(sess)  #! MTF101

x = tf.placeholder(tf.float32, [None, 10])  #! MTF101
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model = multi_gpu_model(model, gpus=2)  #? MTF101
model.compile("sgd", "mse")
model.fit_generator(iter([]), steps_per_epoch=1)  #! MTF101
