# one GPU by index, the limit first

import tensorflow as tf
from tensorflow import config as tf_config

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf_config.set_logical_device_configuration(gpus[0], [tf_config.LogicalDeviceConfiguration(memory_limit=1024)])
    tf_config.experimental.set_memory_growth(gpus[0], True)  #! MTF103 error
