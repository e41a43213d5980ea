# the direct call, and predict_on_batch

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
state = tf.zeros((1, 4))
for step in range(1000):
    q = model(state, training=False).numpy()
    p = model.predict_on_batch(state)
print(model.predict(tf.zeros((500, 4))).shape)
