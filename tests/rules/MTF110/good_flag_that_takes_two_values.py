# a flag that takes two values

import tensorflow as tf


@tf.function
def forward(x, training):
    return tf.nn.dropout(x, 0.5) if training else x


for epoch in range(100):
    forward(tf.zeros((4,)), True)
    forward(tf.zeros((4,)), training=False)
    for training in (True, False):
        forward(tf.zeros((4,)), training)
