# TensorFlow has listed the devices

import os

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
print(len(gpus))
os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"  #! MEM503
