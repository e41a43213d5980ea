import keras
from data import pipeline
from net import make
from cbs import Hist

model = make()
model.compile("adam", "mse")
model.fit(pipeline("x*.tfrecord"), epochs=3, callbacks=[Hist(), keras.callbacks.ModelCheckpoint("b.keras")])
