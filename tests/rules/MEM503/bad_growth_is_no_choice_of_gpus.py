# growth for every GPU chooses none of them

import os

import tensorflow as tf

for device in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(device, True)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #! MEM503
