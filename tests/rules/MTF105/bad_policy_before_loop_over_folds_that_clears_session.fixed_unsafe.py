# policy before a loop over folds that clears the session

import keras
import numpy as np

keras.config.set_dtype_policy("mixed_float16")
x, y = np.random.rand(500, 10), np.random.rand(500, 1)
for fold in range(5):
    keras.utils.clear_session()
    keras.config.set_dtype_policy("mixed_float16")
    model = keras.Sequential([keras.layers.Dense(64), keras.layers.Dense(1, dtype="float32")])
    model.compile("adam", "mse")
    model.fit(x, y, epochs=2)
