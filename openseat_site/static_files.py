from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise with the file as one answer.

    It streams the file with a plain iterator, which Django under ASGI reads into memory anyway, with a
    warning on every start. Our files are small.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file:
                content = found.file.read()
        response = HttpResponse(content, status=found.status)
        # WhiteNoise knows the type of each file, an HttpResponse only guesses one.
        del response.headers["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response
