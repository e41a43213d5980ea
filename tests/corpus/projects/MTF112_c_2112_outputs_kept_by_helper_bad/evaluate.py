import tensorflow as tf
from collect import gather
from infer import predict_step

m = tf.keras.Sequential([tf.keras.layers.Dense(100)])
print(gather(m, tf.data.TFRecordDataset("x").batch(3)))  #= MTF112
outs = []
for x in tf.data.TFRecordDataset("x").batch(3):
    outs.append(predict_step(m, x))  #! MTF112
