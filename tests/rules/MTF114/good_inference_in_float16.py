# inference in float16

import tensorflow as tf

tf.keras.backend.set_floatx("float16")
model = tf.keras.models.load_model("net.keras")
print(model.predict(tf.zeros((4, 2))), "dtype", "gradient" "fit")
fit = gradient = None
