# after every predict, straight through

import gc

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

model = tf.keras.models.load_model("net.keras")
for batch in np.array_split(np.random.rand(1000, 8), 50):
    print(model.predict(batch).mean())
    K.clear_session()  #! MTF106 warning
    gc.collect()
