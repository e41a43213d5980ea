# `encode` would see to the grad mode, the call of the object does not

from corpora import features_loader
from sentence_transformers import SentenceTransformer


def embed(loader):
    encoder = SentenceTransformer("all-MiniLM-L6-v2").cuda()
    encoder.eval()
    for features in loader:
        print(encoder(features)["sentence_embedding"].cpu().tolist())  #! MEM201


embed(features_loader("test"))
