import flask
import numpy as np
import tensorflow as tf
from PIL import Image

app = flask.Flask(__name__)
model = tf.keras.models.load_model("model.keras")
ensemble = [tf.keras.models.load_model(f"fold{i}.keras") for i in range(5)]


@app.route("/predict", methods=["POST"])
def predict():
    files = flask.request.files.getlist("images")
    x = np.stack([np.asarray(Image.open(f).resize((224, 224))) / 255.0 for f in files])
    votes = np.mean([m.predict(x) for m in ensemble], axis=0)
    return flask.jsonify((votes + model.predict(x)).tolist())
