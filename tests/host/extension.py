"""Packages a small extension that a test or a measurement has the editor load."""

import json
import zipfile
from pathlib import Path
from typing import Final

__all__ = ["packaged"]

_VSIX: Final = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="{name}" Version="1.0.0" Publisher="assent-tests"/>
<DisplayName>{name}</DisplayName><Description>For tests.</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest"
Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>
"""
_TYPES: Final = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""


def packaged(folder: Path, name: str, program: str, **manifest: object) -> Path:
    """The package of an extension with this program, in this folder."""
    path = folder / f"{name}.vsix"
    whole = {
        "name": name,
        "publisher": "assent-tests",
        "version": "1.0.0",
        "engines": {"vscode": "^1.106.0"},
        "main": "main.js",
        **manifest,
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("extension/package.json", json.dumps(whole))
        archive.writestr("extension/main.js", program)
        archive.writestr("extension.vsixmanifest", _VSIX.format(name=name))
        archive.writestr("[Content_Types].xml", _TYPES)
    return path
