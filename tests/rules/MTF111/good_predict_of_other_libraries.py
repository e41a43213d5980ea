# predict of other libraries

import tensorflow as tf
from sklearn.linear_model import LogisticRegression
from ultralytics import YOLO

model = LogisticRegression()
yolo = YOLO("yolo.pt")
for frame in tf.zeros((10, 4)).numpy():
    model.predict(frame[None])
    yolo.predict(frame)
