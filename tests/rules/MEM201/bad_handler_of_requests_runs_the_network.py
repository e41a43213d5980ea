# a web framework calls it for each request; what leaves is a number

import io

from flask import Flask, jsonify, request
from PIL import Image
from torchvision.models import resnet50
from torchvision.transforms.functional import to_tensor

app = Flask(__name__)
net = resnet50(weights="DEFAULT").cuda()
net.eval()


@app.route("/predict", methods=["POST"])
def predict():
    image = Image.open(io.BytesIO(request.files["file"].read())).convert("RGB").resize((224, 224))
    scores = net(to_tensor(image)[None].cuda())  #! MEM201 warning
    return jsonify({"class": int(scores.argmax())})
