# one script in two modes: only the other branch has a policy

import sys

import keras

if "--half" in sys.argv:
    keras.config.set_dtype_policy("mixed_float16")
    model = keras.Sequential([keras.layers.Dense(1, dtype="float32")])
else:
    keras.utils.clear_session()
    model = keras.Sequential([keras.layers.Dense(1)])
