# Each pass predicts one image, whose first dimension says so.

model = tf.keras.applications.MobileNetV2()
image = np.random.rand(1, 224, 224, 3)
while True:
    scores = model.predict(image)[0]  #! MTF111
