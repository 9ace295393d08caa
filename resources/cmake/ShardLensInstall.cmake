# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the .deb that CPack makes of it. Programs for people go to bin/, programs that launchers start
# on ranks go to lib/shardlens/, beside each other in one folder in the build tree.
include(GNUInstallDirs)

foreach(program shardlens shardlens-studio)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
foreach(program shardlens-agent mpi_rank nccl_rank socket_rank)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION lib/shardlens)
  endif()
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/probe/python/ DESTINATION lib/shardlens/probe FILES_MATCHING PATTERN "*.py")
# Where Debian's Python 3 looks, whatever its minor version.
set(package lib/python3/dist-packages/shardlens)
install(TARGETS shardlens_abi LIBRARY DESTINATION ${package})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/python/shardlens/ DESTINATION ${package} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)

set(resources "${PROJECT_SOURCE_DIR}/resources")
install(DIRECTORY ${resources}/examples ${resources}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/shardlens)
install(FILES ${resources}/packaging/shardlens.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
if(SHARDLENS_GUI)
  install(FILES ${resources}/packaging/org.shardlens.Studio.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${resources}/packaging/org.shardlens.Studio.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${resources}/packaging/shardlens-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${resources}/icons/shardlens.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shardlens)
set(CPACK_PACKAGE_CONTACT "The ShardLens team <shardlens@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(SHARDLENS_GUI)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS libqt6svg6)  # Qt loads it by name to read the icon of the window
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin, python3, fonts-dejavu-core, fonts-inter, fonts-wqy-microhei, qt6-translations-l10n")
include(CPack)
